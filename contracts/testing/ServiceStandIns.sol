// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {RelayApprovalProxyV3} from "../service/RelayApprovalProxyV3.sol";
import {RelayDepository} from "../service/RelayDepository.sol";
import {RelayReceiver} from "../service/RelayReceiver.sol";
import {RelayRouterV3} from "../service/RelayRouterV3.sol";
import {LocalTether} from "../service/currencies/LocalTether.sol";
import {LocalToken} from "../service/currencies/LocalToken.sol";
import {SolverSigning} from "./SolverSigning.sol";

/// @title ServiceStandIns
/// @notice Deploys stand-ins of the service's contracts, and currencies, on the selected chain.
abstract contract ServiceStandIns is SolverSigning {
    /// @notice The service's contracts on one chain.
    /// @param depository Accepts the deposits of orders.
    /// @param receiver Passes native deposits on to the solver.
    /// @param router Makes the calls of fills.
    /// @param approvalProxy Moves approved tokens to the router.
    struct ServiceContracts {
        RelayDepository depository;
        RelayReceiver receiver;
        RelayRouterV3 router;
        RelayApprovalProxyV3 approvalProxy;
    }

    /// @dev Permit2 has this address on every chain. A local chain has no code there.
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    /// @notice Deploys the service's contracts. The solver is also the depository's allocator; the test owns all of them.
    function _deployService() internal returns (ServiceContracts memory service) {
        service.depository = new RelayDepository(address(this), _solver());
        service.receiver = new RelayReceiver(_solver());
        service.router = new RelayRouterV3();
        service.approvalProxy = new RelayApprovalProxyV3(address(this), address(service.router), PERMIT2);
    }

    /// @notice Deploys a well-behaved token with ERC-2612 permits. The test mints.
    function _deployToken(string memory symbol, uint8 decimals) internal returns (LocalToken) {
        return new LocalToken(symbol, symbol, decimals, address(this));
    }

    /// @notice Deploys a token with the quirks of USDT: its functions return nothing, and a nonzero allowance can only be set to
    /// zero. The test mints.
    function _deployTether() internal returns (LocalTether) {
        return new LocalTether(address(this));
    }
}
