// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IDepositPolicies} from "../../../../contracts/interfaces/receiver/policies/IDepositPolicies.sol";
import {PinnedReceiver} from "../../../../contracts/receiver/PinnedReceiver.sol";
import {PinnedFixture} from "../pinned/PinnedFixture.sol";

/// @title ForgetfulReceiver
/// @notice Its override answers by itself, without `super`.
contract ForgetfulReceiver is PinnedReceiver {
    constructor(
        address solver_,
        address nativePayee_,
        Binding binding_,
        address refundPayee_
    ) PinnedReceiver(solver_, nativePayee_, binding_, refundPayee_) {}

    function _authorize(
        bytes32 id,
        address,
        address,
        uint256,
        bytes calldata
    ) internal pure override returns (bytes32) {
        return id;
    }
}

/// @title DepositPoliciesTest
/// @notice A receiver whose override forgets `super` accepts no payment.
contract DepositPoliciesTest is PinnedFixture {
    /// @dev The answer of the declaring base.
    bytes32 private constant AUTHORIZED = keccak256("waybill.receiver.DepositPolicies");

    function setUp() public {
        _deployReceivers();
    }

    function testFuzz_RevertWhen_AnOverrideForgetsSuper(Draw memory draw) public {
        // The override answers with the id: forge's fuzzer found the one that is the expected answer.
        VM.assume(draw.requestId != AUTHORIZED);
        Payment memory payment = _validPayment(draw);
        _assertRefused(
            payment,
            abi.encodeWithSelector(IDepositPolicies.PolicySkipped.selector, payment.requestId, AUTHORIZED)
        );
    }

    function _newReceiver(IRecordReceiver.Binding binding) internal override returns (PinnedReceiver) {
        return new ForgetfulReceiver(SOLVER, NATIVE_PAYEE, binding, REFUND_PAYEE);
    }
}
