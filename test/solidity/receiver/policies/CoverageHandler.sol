// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISignedPulls} from "../../../../contracts/interfaces/receiver/ISignedPulls.sol";
import {SenderTaxToken} from "../../../../contracts/mocks/SenderTaxToken.sol";
import {Signing} from "../../support/Signing.sol";
import {CoverageDesk} from "./CoverageDesk.sol";

/// @title CoverageHandler
/// @notice Makes any sequence of refunds, attributions, withdrawals, rescues and payments in a token that taxes its sender.
abstract contract CoverageHandler is Signing {
    bytes32 private constant RECEIVE_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    uint256 private constant KEY = 0xa11ce;
    uint256 private constant MOST = 1_000;
    uint256 private constant IDS = 4;

    address private immutable RECIPIENT = _account("recipient");
    address private immutable SOLVER = _account("solver");

    /// @notice The ledger under test.
    CoverageDesk public immutable desk;

    /// @notice The token all of it is in.
    SenderTaxToken public immutable token;

    uint256 private _nonces;

    constructor() {
        desk = new CoverageDesk(address(this));
        token = new SenderTaxToken();
        token.approve(address(desk), type(uint256).max);
        for (uint256 i; i < IDS; ++i) {
            desk.consume(bytes32(i), address(this));
        }
    }

    /// @notice Changes the tax of every sender, or of the ledger alone.
    function tax(uint256 amount, bool isOfDesk) external {
        token.setTax(_bound(amount, 0, MOST), isOfDesk ? address(desk) : address(0));
    }

    /// @notice Sends tokens without an id.
    function stray(uint256 amount) external {
        token.mint(address(desk), _bound(amount, 0, MOST));
    }

    /// @notice Refunds a request.
    function refund(uint256 which, uint256 amount) external {
        amount = _bound(amount, 1, MOST);
        token.mint(address(this), amount + token.tax());
        desk.refundErc20(bytes32(which % IDS), address(token), amount);
    }

    /// @notice Attributes tokens without an id to a request.
    function attribute(uint256 which, uint256 amount) external {
        _try(
            abi.encodeCall(desk.creditRefund, (bytes32(which % IDS), address(token), _bound(amount, 1, MOST)))
        );
    }

    /// @notice Withdraws a refund.
    function withdraw(uint256 which) external {
        bytes32 id = bytes32(which % IDS);
        uint256 credit = desk.creditOf(id, address(token));
        _try(abi.encodeCall(desk.withdrawRefund, (id, address(token), RECIPIENT, credit)));
    }

    /// @notice Rescues uncredited money, or tries to rescue more.
    function rescue(uint256 amount) external {
        _try(abi.encodeCall(desk.rescue, (address(token), RECIPIENT, _bound(amount, 0, MOST))));
    }

    /// @notice Pays a request by signature, through the ledger.
    function pay(uint256 amount) external {
        amount = _bound(amount, 1, MOST);
        address owner = VM.addr(KEY);
        token.mint(owner, amount + token.tax());
        bytes32 nonce = bytes32(++_nonces);
        bytes32 structHash = keccak256(
            abi.encode(RECEIVE_TYPEHASH, owner, address(desk), amount, 0, type(uint256).max, nonce)
        );
        bytes32 digest = _typedDigest("Authorization", address(token), structHash);
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(KEY, digest);
        ISignedPulls.Authorization memory authorization = ISignedPulls.Authorization(
            owner,
            0,
            type(uint256).max,
            v,
            r,
            s
        );
        _try(abi.encodeCall(desk.pay, (address(token), SOLVER, amount, nonce, nonce, authorization)));
    }

    function _try(bytes memory data) private {
        // Whether it succeeds depends on the tax.
        (bool success, ) = address(desk).call(data);
        success;
    }
}
